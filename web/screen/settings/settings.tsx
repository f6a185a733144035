import type { JSX } from 'preact'
import { Failed } from '../../look/failure.tsx'
import { Loading } from '../../look/loading.tsx'
import { failed, readSettings, useSettings } from '../owner/farm-settings.ts'
import { OwnerPage } from '../owner/owner-page.tsx'
import { FarmForm } from './farm-form.tsx'
import { Safety } from './safety.tsx'
import { say } from './say.ts'

/** What the farm says about itself, what lies under its map, and whether it is safe. */
export function Part(): JSX.Element {
  return (
    <OwnerPage title={say('settings.title')}>
      <Told />
    </OwnerPage>
  )
}

function Told(): JSX.Element {
  const told = useSettings()
  if (told !== null)
    return (
      <>
        <FarmForm told={told} />
        <Safety told={told} />
      </>
    )
  return failed.value === null ? <Loading /> : <Failed failure={failed.value} onRetry={() => void readSettings()} />
}
