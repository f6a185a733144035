import type { JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import type { IconName } from '../look/icons.ts'
import { PlaceMap } from '../look/place/place-map.tsx'
import { Row } from '../look/row.tsx'
import { termBy } from '../store/local-copy.ts'
import { areasNamedIn, idsIn, type KeptRecord, partsIn } from '../store/record.ts'

import { unitOf } from './amount.ts'
import { nameOfAsset } from './asset-name.ts'
import { listed } from './names.ts'
import { SavedCard } from './saved-card.tsx'
import { say } from './say.ts'

const icons = {
  observe: 'eye',
  seed: 'seed',
  transplant: 'seed',
  input: 'input',
  maintain: 'maintain',
} as const satisfies Readonly<Record<string, IconName>>

interface PlainSavedProps {
  readonly entry: keyof typeof icons
  readonly uuid: string
  readonly words: (log: KeptRecord) => string
}

/** What was said, about what and where, and the way to one more. */
export function PlainSaved({ entry, uuid, words }: PlainSavedProps): JSX.Element {
  return (
    <SavedCard
      label={say(`entry.${entry}`)}
      uuid={uuid}
      words={words}
      second={aboutWords}
      picture={(log) => <Where log={log} />}
      more={() => (
        <Row
          to={`/add/${entry}`}
          margin={<Icon name={icons[entry]} />}
          title={say('entry.saved.another')}
          end={<Icon name="next" size="small" />}
        />
      )}
    />
  )
}

function aboutWords(log: KeptRecord): string {
  const amounts = partsIn(log.fields.quantity).map((part) => [part.value, unitOf(part)].join(' ').trim())
  return [...amounts, listed(placesIn(log)), listed(idsIn(log.fields.asset).map(nameOfAsset))]
    .filter((words) => words !== '')
    .join(' · ')
}

const placesIn = (log: KeptRecord): readonly string[] => areasNamedIn(log).flatMap((id) => termBy(id)?.name ?? [])

function Where({ log }: { readonly log: KeptRecord }): JSX.Element | null {
  const area = termBy(areasNamedIn(log)[0] ?? '')
  return area === undefined ? null : <PlaceMap shape="tall" area={area} />
}
