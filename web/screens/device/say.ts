import { copy } from '../../../src/words/en/copy.ts'
import { device } from '../../../src/words/en/device.ts'
import { outbox } from '../../../src/words/en/outbox.ts'
import { sayAlso } from '../../words/say.ts'

export const say = sayAlso(copy, device, outbox)
