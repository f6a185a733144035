import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { PickRecord } from '../form/pick-record.tsx'
import { replace, route, withQuery } from '../look/router.ts'
import { assetBy } from '../store/local-copy.ts'
import type { KeptRecord } from '../store/record.ts'
import { membersOf } from '../store/stays.ts'
import { chosenAssets } from './chosen.ts'
import { say } from './say.ts'
import { Step, useEntryUp } from './step.tsx'

interface AnimalInTheRace {
  /** What the strip says. */
  readonly label: string
  /** Whether the animal is being chosen by its name. */
  readonly isPicking: boolean
  readonly animal: KeptRecord | undefined
  readonly onAnimal: (animal: KeptRecord | undefined) => void
  /** Who may come; left out where anybody may. */
  readonly among: readonly KeptRecord[] | undefined
  /** This one is done. */
  readonly next: () => void
}

/** Who comes: any animal, those of a herd that was chosen, or the one that the address names. The strip counts those of a herd. */
export function useAnimalInTheRace(entry: 'weigh' | 'treat'): AnimalInTheRace {
  const chosen = chosenAssets()
  const animals = chosen.flatMap((asset) =>
    asset.bundle === 'group' ? membersOf(asset.id).flatMap((stay) => assetBy(stay.asset) ?? []) : [asset],
  )
  const [typed, setTyped] = useState<string | undefined>(animals.length === 1 ? animals[0]?.uuid : undefined)
  const [done, setDone] = useState<readonly string[]>([])
  const picked = route.value.query.get('animal')
  const animal = assetBy(picked ?? typed ?? '')
  const onAnimal = (chosen: KeptRecord | undefined) => {
    replace(withQuery({ animal: chosen?.id ?? null }))
    setTyped(chosen?.uuid)
  }
  const [count, number] = [animals.length, Math.min(done.length + 1, animals.length)]
  const label = count > 1 ? say(`entry.${entry}.progress`, { number, count }) : say(`entry.${entry}`)
  const isPicking = route.value.query.has('pick')
  useEntryUp(label, isPicking ? afterPicking() : undefined)
  return {
    label,
    isPicking,
    animal,
    onAnimal,
    among: count > 1 ? animals.filter(({ uuid }) => !done.includes(uuid)) : undefined,
    next: () => {
      if (animal !== undefined) setDone([...done, animal.uuid])
      onAnimal(undefined)
    },
  }
}

const afterPicking = (): string => withQuery({ pick: null })

/** By name, for those without a tag. */
export function PickAnimal({ label }: { readonly label: string }): JSX.Element {
  return (
    <Step label={label} before={afterPicking()} title={say('entry.weigh.which')}>
      <PickRecord
        of={{ type: 'asset', bundles: ['animal'] }}
        used="weighed"
        onPick={({ id }) => replace(withQuery({ animal: id, pick: null }))}
      />
    </Step>
  )
}
