import { settings } from '../../../src/words/en/settings.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(settings)
