import { place } from '../../../src/words/en/place.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(place)
