import { timeOf } from './calendar.ts'
import { type Planned, planAsset } from './planned.ts'
import type { Story } from './story.ts'

/** What stands in the yard, and the groups that the animals are kept in. */
export function planYard({ calendar, words }: Story): readonly Planned[] {
  const at = timeOf(calendar.firstDay, 0)
  const { machines, compost, sensors } = words.yard
  return [
    ...words.herds.herds.map(({ group }) => planAsset({ key: group, at, type: 'group' }, () => ({ name: group }))),
    ...machines.map(({ name, manufacturer, model, serial, flags = [] }) =>
      planAsset({ key: name, at, type: 'equipment' }, () => ({
        name,
        manufacturer,
        model,
        serial_number: serial,
        flags: [...flags],
      })),
    ),
    ...compost.windrows.map((name) =>
      planAsset({ key: name, at, type: 'compost' }, () => ({
        name,
        description: { value: compost.about, format: 'farm_format' },
      })),
    ),
    ...sensors.map(({ name }) =>
      planAsset({ key: name, at, type: 'sensor' }, () => ({ name, sensor_type: 'listener' })),
    ),
  ]
}
