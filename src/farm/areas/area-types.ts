import type { Choice } from '../farm.ts'

export const areaTypes: readonly Choice[] = [
  { value: 'field', label: 'Field' },
  { value: 'bed', label: 'Bed' },
  { value: 'building', label: 'Building', kind: 'structure' },
  { value: 'greenhouse', label: 'Greenhouse', kind: 'structure' },
  { value: 'property', label: 'Property' },
  { value: 'paddock', label: 'Paddock' },
  { value: 'water', label: 'Water', kind: 'water' },
  { value: 'landmark', label: 'Landmark' },
  { value: 'other', label: 'Other', alsoKind: ['structure'] },
]
