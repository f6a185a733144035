import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { handOut } from '../../sync/export.ts'
import { bytes } from '../../words/format.ts'
import { readSettings } from '../owner/farm-settings.ts'
import { PasswordField } from '../owner/password-field.tsx'
import { type BackupFailure, fetchBackup } from './fetch-backup.ts'
import { say } from './say.ts'

type State =
  | { readonly kind: 'idle' | 'making' }
  | { readonly kind: 'coming'; readonly done: number; readonly whole: number }
  | { readonly kind: 'done'; readonly size: number }
  | { readonly kind: 'failed'; readonly why: BackupFailure }

export function Backup(): JSX.Element {
  const [password, setPassword] = useState('')
  const [state, setState] = useState<State>({ kind: 'idle' })
  const isBusy = state.kind === 'making' || state.kind === 'coming'
  const begin = async (event: Event) => {
    event.preventDefault()
    setState({ kind: 'making' })
    const outcome = await fetchBackup(password, (done, whole) => setState({ kind: 'coming', done, whole }))
    if ('failure' in outcome) return setState({ kind: 'failed', why: outcome.failure })
    setPassword('')
    handOut(outcome.file, outcome.name)
    setState({ kind: 'done', size: outcome.file.size })
    void readSettings()
  }
  return (
    <form class="setup" onSubmit={begin}>
      <PasswordField label={say('settings.backup-password')} value={password} onText={setPassword} />
      <p role="status">{wordsOf(state)}</p>
      {state.kind === 'coming' && (
        <progress value={state.done} max={state.whole} aria-label={say('settings.backup-do')} />
      )}
      <button type="submit" class="btn tall" disabled={password === '' || isBusy}>
        {say('settings.backup-do')}
      </button>
    </form>
  )
}

function wordsOf(state: State): string {
  switch (state.kind) {
    case 'idle':
      return ''
    case 'making':
      return say('settings.backup-making')
    case 'coming':
      return say('settings.backup-coming', { done: bytes(state.done), whole: bytes(state.whole) })
    case 'done':
      return say('settings.backup-done', { size: bytes(state.size) })
    case 'failed':
      return say(`settings.backup-${state.why}`)
  }
}
