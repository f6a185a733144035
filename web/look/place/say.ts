import { place } from '../../words/en/place.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(place)
