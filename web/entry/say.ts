import { entry } from '../words/en/entry.ts'
import { form } from '../words/en/form.ts'
import { sayAlso } from '../words/say.ts'

export const say = sayAlso({ ...entry, ...form })
