import { owner } from '../../../src/words/en/owner.ts'
import { people } from '../../../src/words/en/people.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(owner, people)
