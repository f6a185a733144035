import type { Choice } from '../farm.ts'

export const areaTypes: readonly Choice[] = [
  { value: 'field', label: 'Field' },
  { value: 'bed', label: 'Bed' },
  { value: 'building', label: 'Building' },
  { value: 'greenhouse', label: 'Greenhouse' },
  { value: 'property', label: 'Property' },
  { value: 'paddock', label: 'Paddock' },
  { value: 'water', label: 'Water' },
  { value: 'landmark', label: 'Landmark' },
  { value: 'other', label: 'Other' },
]
