import { Fragment, type JSX } from 'preact'
import { mayWrite, trialBeside } from '../store/local-copy.ts'
import { say } from '../words/say.ts'
import { Icon } from './icon.tsx'
import { Link } from './link.tsx'

export type BarPlace = 'today' | 'map' | 'records' | 'more'

const addresses: Readonly<Record<BarPlace, string>> = { today: '/', map: '/map', records: '/records', more: '/more' }

/** Bottom bar on a phone, side rail on a desk. */
export function Bar({ place }: { readonly place: BarPlace | null }): JSX.Element {
  return (
    <nav class="bar" aria-label={say('shell.main')}>
      {(Object.keys(addresses) as BarPlace[]).map((one) => (
        <Fragment key={one}>
          {one === 'records' && (mayWrite() || trialBeside()?.isOff) && <Add />}
          <Link to={addresses[one]} class={one === 'more' ? 'last' : ''} current={one === place ? 'page' : undefined}>
            <Icon name={one} />
            {say(`shell.${one}`)}
          </Link>
        </Fragment>
      ))}
    </nav>
  )
}

function Add(): JSX.Element {
  return (
    <Link to="/add" class="add">
      <Icon name="plus" />
      {say('act.add')}
    </Link>
  )
}
