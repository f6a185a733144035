import { record } from '../../../src/words/en/record.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(record)
