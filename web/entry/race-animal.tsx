import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { PickRecord } from '../form/pick-record.tsx'
import { replace, route, withQuery } from '../look/router.ts'
import { assetBy } from '../store/copy.ts'
import { membersOf } from '../store/stays.ts'
import type { KeptRecord } from '../store/types.ts'
import { chosenAssets } from './chosen.ts'
import { say } from './say.ts'
import { Step } from './step.tsx'

/** Who comes to the gate: any animal, those of a herd that was chosen, or the one that the address names. */
export interface Comers {
  readonly animal: KeptRecord | undefined
  readonly onAnimal: (animal: KeptRecord | undefined) => void
  readonly among: readonly KeptRecord[] | undefined
}

export function useComers(): Comers {
  const chosen = chosenAssets()
  const animals = chosen.flatMap((asset) =>
    asset.bundle === 'group' ? membersOf(asset.id).flatMap((stay) => assetBy(stay.asset) ?? []) : [asset],
  )
  const [typed, setTyped] = useState<string | undefined>(animals.length === 1 ? animals[0]?.uuid : undefined)
  const picked = route.value.query.get('animal')
  return {
    animal: assetBy(picked ?? typed ?? ''),
    onAnimal: (animal) => {
      if (picked !== null) replace(withQuery({ animal: null }))
      setTyped(animal?.uuid)
    },
    among: animals.length > 1 ? animals : undefined,
  }
}

/** By name, for those without a tag. */
export function PickAnimal({ label }: { readonly label: string }): JSX.Element {
  return (
    <Step label={label} before={withQuery({ pick: null })} title={say('entry.weigh.which')}>
      <PickRecord
        of={{ type: 'asset', bundles: ['animal'] }}
        used="weighed"
        onPick={({ id }) => replace(withQuery({ animal: id, pick: null }))}
      />
    </Step>
  )
}
