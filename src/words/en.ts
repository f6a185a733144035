import { animals } from './en/animals.ts'
import { copy } from './en/copy.ts'
import { device } from './en/device.ts'
import { doing } from './en/doing.ts'
import { draw } from './en/draw.ts'
import { entry } from './en/entry.ts'
import { form } from './en/form.ts'
import { bringing } from './en/import.ts'
import { map } from './en/map.ts'
import { moving } from './en/moving.ts'
import { outbox } from './en/outbox.ts'
import { owner } from './en/owner.ts'
import { people } from './en/people.ts'
import { place } from './en/place.ts'
import { record } from './en/record.ts'
import { records } from './en/records.ts'
import { reports } from './en/reports.ts'
import { settings } from './en/settings.ts'
import { setup } from './en/setup.ts'
import { shell } from './en/shell.ts'
import { today } from './en/today.ts'

/**
 * The texts of the app by part. English is the source of the other languages; a new part is its file and one line here.
 * The texts of the server's pages are separate.
 */
export const en = {
  shell,
  copy,
  today,
  doing,
  record,
  records,
  map,
  place,
  entry,
  animals,
  form,
  device,
  outbox,
  bringing,
  draw,
  owner,
  people,
  setup,
  settings,
  reports,
  moving,
} as const
