#!/usr/bin/env node
import { createRequire } from 'node:module'
import { compileProgram, programFile, runProgram } from './compiled-program.ts'

// Source maps work only for files that Node itself loads.
if (process.sourceMapsEnabled) createRequire(import.meta.url)(programFile)
else runProgram(compileProgram())
