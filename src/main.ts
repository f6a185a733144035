#!/usr/bin/env node
import { createRequire } from 'node:module'
import { compileProgram, keepForNextStart, programFile, runProgram } from './compiled-program.ts'

// Source maps work only for files that Node itself loads.
if (process.sourceMapsEnabled) createRequire(import.meta.url)(programFile)
else {
  const program = compileProgram()
  runProgram(program)
  // A package that was installed comes without: what V8 makes of a program is for one processor.
  if (process.argv[2] === 'serve') keepForNextStart(program)
}
