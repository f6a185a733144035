import { areaTypes } from './areas/area-types.ts'
import type { Choice } from './farm.ts'

const flags: readonly Choice[] = [
  { value: 'priority', label: 'Priority' },
  { value: 'monitor', label: 'Monitor' },
  { value: 'review', label: 'Needs Review' },
]

const measures: readonly Choice[] = [
  { value: 'count', label: 'Count' },
  { value: 'length', label: 'Length/depth' },
  { value: 'weight', label: 'Weight' },
  { value: 'area', label: 'Area' },
  { value: 'volume', label: 'Volume' },
  { value: 'time', label: 'Time' },
  { value: 'temperature', label: 'Temperature' },
  { value: 'pressure', label: 'Pressure' },
  { value: 'water_content', label: 'Water content' },
  { value: 'value', label: 'Value' },
  { value: 'rate', label: 'Rate' },
  { value: 'rating', label: 'Rating' },
  { value: 'ratio', label: 'Ratio' },
  { value: 'probability', label: 'Probability' },
]

const sexes: readonly Choice[] = [
  { value: 'F', label: 'Female' },
  { value: 'M', label: 'Male' },
]

const tagTypes: readonly Choice[] = ['Brand', 'Ear tag', 'Tattoo', 'Leg band', 'Chip', 'Other'].map((word) => ({
  value: word,
  label: word,
}))

const logStatuses: readonly Choice[] = [
  { value: 'pending', label: 'Pending' },
  { value: 'done', label: 'Done' },
]

/** The words of the choice fields; a module can add to any list, or bring its own. */
export const lists = { flags, measures, sexes, tag_types: tagTypes, area_types: areaTypes, log_statuses: logStatuses }
