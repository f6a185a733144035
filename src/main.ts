#!/usr/bin/env node
import { runFurrow } from './cli/run-furrow.ts'

process.exitCode = await runFurrow(process.argv.slice(2), process.env)
