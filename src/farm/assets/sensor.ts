import { longText, text } from '../../fields/text.ts'
import type { Bundle } from '../farm.ts'
import { newerTag } from '../parts/tag.ts'
import { parent, standardFields } from './standard-fields.ts'

/** The record only: sensor data exchange is outside the interface (spec 1.6). */
export const sensor: Bundle = {
  label: 'Sensor',
  plural: 'Sensors',
  fields: {
    ...standardFields,
    sensor_type: text('Sensor type'),
    sensor_settings: longText('Sensor settings'),
    parent: { ...parent, only: 'newer' },
    tag: newerTag,
  },
}
