import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Icon } from '../look/icon.tsx'
import type { IconName } from '../look/icons.ts'
import { Link } from '../look/link.tsx'
import { ModalSheet } from '../look/sheet.tsx'
import { namePage } from '../look/title.tsx'
import { assetBy, termBy } from '../store/copy.ts'
import { lastUsed } from '../store/used.ts'
import { openCamera } from './camera.ts'
import { aboutTheSame, chosenAreas, chosenAssets } from './chosen.ts'
import { entriesInOrder, type Offered } from './entries.ts'
import { leaveSheet } from './leave.ts'
import { listed } from './names.ts'
import { say } from './say.ts'

const icons: Readonly<Record<Offered, IconName>> = {
  move: 'move',
  harvest: 'harvest',
  observe: 'eye',
  weigh: 'weigh',
  treat: 'treat',
  seed: 'seed',
  input: 'input',
  maintain: 'maintain',
}

/** What can be recorded with a few taps, each a large button; what was used last stands first. */
export function AddSheet(): JSX.Element {
  useEffect(() => namePage(say('act.add')), [])
  const about = aboutTheSame()
  return (
    <ModalSheet title={question()} onClose={leaveSheet}>
      <ul class="tiles">
        {entriesInOrder().map((name) => (
          <li key={name}>
            <Link
              to={`/add/${name}${about}`}
              class="btn tile"
              {...(name === 'observe' ? { onFollow: openCamera } : {})}
            >
              <Icon name={icons[name]} />
              <span>
                <b>{say(`entry.${name}`)}</b> <small>{lastTime(name) ?? say(`entry.${name}.about`)}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Link to={`/add/log${about}`} class="btn plain fill">
        {say('entry.more')}
      </Link>
    </ModalSheet>
  )
}

function question(): string {
  const [assets, areas] = [chosenAssets(), chosenAreas()]
  if (assets.length > 0) return say('entry.what-with', { what: listed(assets.map(({ name }) => name)) })
  if (areas.length > 0) return say('entry.what-in', { place: listed(areas.map(({ name }) => name)) })
  return say('entry.what')
}

/** "Milkers → North 3" */
function lastTime(name: Offered): string | undefined {
  if (name === 'move') {
    const [herd, place] = [assetBy(lastUsed('herd')[0] ?? ''), termBy(lastUsed('paddock')[0] ?? '')]
    return herd && place && `${herd.name} → ${place.name}`
  }
  return name === 'harvest' ? assetBy(lastUsed('harvested')[0] ?? '')?.name : undefined
}
