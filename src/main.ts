#!/usr/bin/env node
import { createRequire } from 'node:module'
import { compileProgram, programFile, runProgram } from './compiled-program.ts'

// Only a file that Node itself loads has its lines traced back to those of the source.
if (process.sourceMapsEnabled) createRequire(import.meta.url)(programFile)
else runProgram(compileProgram())
