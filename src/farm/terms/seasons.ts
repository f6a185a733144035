import { period } from '../../fields/time.ts'
import type { Vocabulary } from '../farm.ts'

export const seasons: Vocabulary = {
  label: 'Season',
  plural: 'Seasons',
  title: 'Farm Season',
  description: 'When it is grown',
  fields: { date_range: period('Date Range') },
}
