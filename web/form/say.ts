import { form } from '../words/en/form.ts'
import { sayAlso } from '../words/say.ts'

export const say = sayAlso(form)
