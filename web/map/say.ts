import { map } from '../../src/words/en/map.ts'
import { sayAlso } from '../words/say.ts'

export const say = sayAlso(map)
