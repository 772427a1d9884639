# cmake -DHOOKE=command -DDIR=folder -P man.cmake: hooke.1 and one page for each subcommand.
file(REMOVE_RECURSE ${DIR})
file(MAKE_DIRECTORY ${DIR})
function(write_page file)
  execute_process(COMMAND ${HOOKE} help --man ${ARGN} OUTPUT_FILE ${DIR}/${file}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()
execute_process(COMMAND ${HOOKE} help OUTPUT_VARIABLE overview COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n  [a-z]+" commands "${overview}")
foreach(line ${commands})
  string(STRIP "${line}" command)
  write_page(hooke-${command}.1 ${command})
endforeach()
write_page(hooke.1)
