import { setup } from '../../../src/words/en/setup.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(setup)
