import type { JSX } from 'preact'
import { Failed } from '../../look/failure.tsx'
import { base, go } from '../../look/router.ts'
import { failed, useSettings } from '../owner/farm-settings.ts'
import { Qr } from '../owner/qr.tsx'
import { say } from './say.ts'
import { nextAfter, skip } from './steps.ts'

/** The address that a phone takes, or how it comes to have one. */
export function PhoneStep(): JSX.Element {
  const told = useSettings()
  if (told === null)
    return failed.value === null ? <p role="status">{say('shell.loading')}</p> : <Failed failure={failed.value} />
  return (
    <>
      {told.addresses.length === 0 ? <Alone /> : <Addresses addresses={told.addresses} />}
      <button
        type="button"
        class="btn main-do fill"
        onClick={() => {
          skip('phone-done')
          const next = nextAfter('phone')
          go(next === undefined ? '/setup' : `/setup/${next}`)
        }}
      >
        {say('setup.phone-do')}
      </button>
    </>
  )
}

function Addresses({ addresses }: { readonly addresses: readonly string[] }): JSX.Element {
  return (
    <>
      <p>{say('setup.phone-scan')}</p>
      {addresses.map(addressOfApp).map((address) => (
        <figure key={address} class="address">
          <Qr text={address} />
          <figcaption>{address}</figcaption>
        </figure>
      ))}
      <p class="soft">{say('setup.phone-same')}</p>
      {addresses.every((address) => address.startsWith('http:')) && (
        <p class="soft">
          {say('setup.phone-https')} <a href="/docs/phone">{say('setup.phone-how')}</a>
        </p>
      )}
    </>
  )
}

const addressOfApp = (address: string): string => `${address}${base}/`

function Alone(): JSX.Element {
  return (
    <>
      <p>{say('setup.phone-alone')}</p>
      <pre class="card">
        <code>{say('setup.phone-command')}</code>
      </pre>
      <p>{say('setup.phone-then')}</p>
      <p class="soft">
        {say('setup.phone-https')} <a href="/docs/phone">{say('setup.phone-how')}</a>
      </p>
    </>
  )
}
