import { owner } from '../../../src/words/en/owner.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(owner)
