import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { go } from '../look/router.ts'
import { placeIn } from './place-in.ts'
import { say } from './say.ts'

type Trouble = 'insecure' | 'missing' | 'denied' | 'failed'

const patience = 20_000

/** Where the first area is drawn: where this device is, where somebody says, or nowhere in particular. */
export function WhereIsFarm(): JSX.Element {
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const goThere = (event: Event) => {
    event.preventDefault()
    const place = placeIn(typed)
    if (place === undefined) setFault(say('map.empty-unread'))
    else go(addressAt(place))
  }
  return (
    <form class="where-is-farm" onSubmit={goThere} aria-label={say('map.empty-where')}>
      <b>{say('map.empty-where')}</b>
      <HereButton onTrouble={(trouble) => setFault(say(`map.position.${trouble}`))} />
      <div class="field">
        <input
          aria-label={say('map.empty-typed')}
          placeholder={say('map.empty-example')}
          value={typed}
          autocomplete="off"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="btn plain">
          {say('map.empty-go')}
        </button>
      </div>
      {fault !== null && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <Link to="/draw" class="btn plain">
        {say('map.empty-skip')}
      </Link>
    </form>
  )
}

const addressAt = ([longitude, latitude]: readonly [number, number]): string => `/draw?at=${latitude},${longitude}`

function HereButton({ onTrouble }: { readonly onTrouble: (trouble: Trouble) => void }): JSX.Element {
  const [isLooking, setLooking] = useState(false)
  useEffect(() => {
    if (!isLooking) return
    const fail = (trouble: Trouble) => {
      setLooking(false)
      onTrouble(trouble)
    }
    if (!isSecureContext) return fail('insecure')
    if (!('geolocation' in navigator)) return fail('missing')
    navigator.geolocation.getCurrentPosition(
      ({ coords: { longitude, latitude } }) => go(addressAt([longitude, latitude])),
      ({ code, PERMISSION_DENIED }) => fail(code === PERMISSION_DENIED ? 'denied' : 'failed'),
      { enableHighAccuracy: true, timeout: patience },
    )
  }, [isLooking])
  return (
    <button type="button" class="btn tall" disabled={isLooking} onClick={() => setLooking(true)}>
      <Icon name="locate" />
      {say(isLooking ? 'map.empty-looking' : 'map.empty-here')}
    </button>
  )
}
