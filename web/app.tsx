import { effect } from '@preact/signals'
import { type JSX, render } from 'preact'
import { Bar } from './look/bar.tsx'
import { Patterns } from './look/place/patterns.tsx'
import { startRouter } from './look/router.ts'
import { StatusStrip } from './look/strip.tsx'
import { startTheme } from './look/theme.ts'
import { titleEnd } from './look/title.tsx'
import { startClock } from './look/today.ts'
import { UndoToast } from './look/undo.tsx'
import { fetchSoon } from './screen/fetch-soon.ts'
import { Gate } from './screen/gate.tsx'
import { KeysSheet, startKeys } from './screen/keys.tsx'
import { Notices } from './screen/notices.tsx'
import { here, Panes, place, up } from './screen/panes.tsx'
import { me } from './store/copy.ts'
import { startSync } from './sync/start.ts'
import { timeZone } from './words/locale.ts'
import { say } from './words/say.ts'

function App(): JSX.Element {
  return (
    <div class="app">
      <a class="skip out" href="#main">
        {say('shell.skip')}
      </a>
      <div class="top">
        <StatusStrip up={up.value} />
        <Notices />
      </div>
      <Gate>
        <Panes />
      </Gate>
      {here.value?.screen.kind !== 'entry' && <UndoToast />}
      <Bar place={place.value} />
      <KeysSheet />
      <Patterns />
    </div>
  )
}

effect(() => {
  const farm = me.value?.farm
  if (farm === undefined) return
  timeZone.value = farm.timezone
  titleEnd.farm = farm.name
})

startTheme()
startClock()
startRouter()
startKeys()
startSync()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
void fetchSoon()
