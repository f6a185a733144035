import { records } from '../../../src/words/en/records.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(records)
