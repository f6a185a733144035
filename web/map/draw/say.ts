import { draw } from '../../../src/words/en/draw.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(draw)
