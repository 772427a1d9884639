/* See windows_shim.h. */
