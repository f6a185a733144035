import type { Bundle } from '../farm.ts'
import { plantingFields } from './standard-fields.ts'

export const transplanting: Bundle = { label: 'Transplanting', plural: 'Transplantings', fields: plantingFields }
