import { device } from '../words/en/device.ts'
import { outbox } from '../words/en/outbox.ts'
import { sayAlso } from '../words/say.ts'

export const say = sayAlso({ ...device, ...outbox })
