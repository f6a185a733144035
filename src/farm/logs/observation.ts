import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const observation: Bundle = { label: 'Observation', plural: 'Observations', fields: standardFields }
