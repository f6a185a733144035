import { en } from '../../src/words/en.ts'
import { addWords } from '../../web/words/say.ts'

/** For tests of one room: in the app each screen adds its words when its script is loaded. */
addWords(...Object.values(en))
