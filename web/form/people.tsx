import type { JSX } from 'preact'
import { Chip } from '../look/chip.tsx'
import { people } from '../store/copy.ts'
import { idsIn } from '../store/row.ts'
import { type ControlProps, filled } from './control.ts'
import { say } from './say.ts'

export function PeopleControl({ field, value, onChange }: ControlProps): JSX.Element {
  const chosen = idsIn(value)
  const known = new Map([...people.value, ...chosen.map((id) => [id, nameOf(id)] as const)])
  const toggle = (id: string) => {
    if (chosen.includes(id)) return change(chosen.filter((one) => one !== id))
    change(field.many === true ? [...chosen, id] : [id])
  }
  const change = (ids: readonly string[]) =>
    onChange(field.many === true ? filled(ids.map((id) => ({ id }))) : ids.map((id) => ({ id }))[0])
  return (
    <div class="options">
      {[...known].map(([id, name]) => (
        <Chip key={id} pressed={chosen.includes(id)} onPress={() => toggle(id)}>
          <bdi>{name}</bdi>
        </Chip>
      ))}
    </div>
  )
}

const nameOf = (id: string): string => people.value.get(id) ?? say('form.number', { id })
