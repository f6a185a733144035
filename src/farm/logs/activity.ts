import type { Bundle } from '../farm.ts'
import { standardFields } from './standard-fields.ts'

export const activity: Bundle = { label: 'Activity', plural: 'Activities', fields: standardFields }
