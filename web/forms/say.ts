import { form } from '../../src/words/en/form.ts'
import { sayAlso } from '../words/say.ts'

export const say = sayAlso(form)
