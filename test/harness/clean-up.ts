import { afterAll } from 'vitest'
import { cleanUp } from './end-of-file.ts'

afterAll(cleanUp)
