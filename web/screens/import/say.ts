import { bringing } from '../../../src/words/en/import.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(bringing)
