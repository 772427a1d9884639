/* The model file is part of the public interface. */
#ifndef HK_MODEL_FILE_H
#define HK_MODEL_FILE_H
#include <hooke/model_file.h>
#endif
