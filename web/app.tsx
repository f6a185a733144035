import { effect } from '@preact/signals'
import { type JSX, render } from 'preact'
import { Bar } from './look/bar.tsx'
import { startClock } from './look/day.ts'
import { titleEnd } from './look/page.tsx'
import { Patterns } from './look/place/hatches.tsx'
import { startRouter } from './look/router.ts'
import { StatusStrip, TrialLine } from './look/strip.tsx'
import { startTheme } from './look/theme.ts'
import { UndoToast } from './look/undo.tsx'
import { Gate } from './screens/gate.tsx'
import { helping, startKeys } from './screens/keys.ts'
import { here, Panes, place, up } from './screens/panes.tsx'
import { device, prefetchScreens } from './screens/screens.tsx'
import { me } from './store/local-copy.ts'
import { startSync } from './sync/start.ts'
import { notices } from './sync/status.ts'
import { followAccount, startLanguage } from './words/language.ts'
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
        <TrialLine />
        {notices.value.length > 0 && device.show(({ Notices }) => <Notices />, <></>)}
      </div>
      <Gate>
        <Panes />
      </Gate>
      {here.value?.screen.kind !== 'entry' && <UndoToast />}
      <Bar place={place.value} />
      {helping.value && device.show(({ KeysSheet }) => <KeysSheet />, <></>)}
      <Patterns />
    </div>
  )
}

effect(() => {
  if (me.value === null) return
  const { account, farm } = me.value
  void followAccount(account.language)
  timeZone.value = farm.timezone
  titleEnd.farm = farm.name
})

startTheme()
startClock()
startRouter()
startKeys()
startSync()
const root = document.getElementById('app')
void startLanguage().then(() => {
  if (root !== null) render(<App />, root)
  void prefetchScreens()
})
