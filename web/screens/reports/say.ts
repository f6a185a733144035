import { reports } from '../../../src/words/en/reports.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(reports)
