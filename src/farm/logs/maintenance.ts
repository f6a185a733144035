import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const maintenance: Bundle = { label: 'Maintenance', plural: 'Maintenance', fields: standardFields }
