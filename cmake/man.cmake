# cmake -DHOOKE=command -DDIR=folder -DCOMPLETIONS=folder -P man.cmake: hooke.1, one page for each subcommand, and the rules
# with which shells complete them.
file(REMOVE_RECURSE ${DIR})
file(MAKE_DIRECTORY ${DIR} ${COMPLETIONS})
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
foreach(shell bash zsh fish)
  execute_process(COMMAND ${HOOKE} completion ${shell} OUTPUT_FILE ${COMPLETIONS}/hooke.${shell}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
