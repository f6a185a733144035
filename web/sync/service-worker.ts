import { effect, signal } from '@preact/signals'
import { language } from '../words/language.ts'
import { isVisible } from './schedule.ts'
import { notice, untilSettled } from './status.ts'

const address = '/app/sw.js'
const scope = '/app/'
const hour = 3_600_000
const saidPlainHttp = 'furrow-said-plain-http'

/** Trusted Types policy for the address of the worker. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(given: string): string },
  ): { createScriptURL(given: string): string }
}

const registered = signal<ServiceWorkerRegistration | null>(null)

/** Registers the service worker, so that the app opens without signal. */
export async function registerServiceWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return sayWhyNot()
  const { serviceWorker } = navigator
  // The first time, the app's files would compete with the first load.
  if (serviceWorker.controller === null) await untilSettled()
  let hadController = serviceWorker.controller !== null
  serviceWorker.addEventListener('controllerchange', () => {
    if (hadController) location.reload()
    hadController = true
  })
  const registration = await serviceWorker
    .register(trusted(address), { scope, updateViaCache: 'none' })
    .catch(() => null)
  // Without support some browsers return nothing.
  if (registration == null) return
  registered.value = registration
  registration.waiting?.postMessage('start')
  effect(() => {
    const speaks = language.value
    void serviceWorker.ready.then(({ active }) => active?.postMessage({ speaks }))
  })
  registration.addEventListener('updatefound', () => watch(registration))
  watch(registration)
  setInterval(() => isVisible() && void registration.update().catch(() => {}), hour)
}

/** Reloads the page with the waiting version. */
export function useNewVersion(): void {
  registered.value?.waiting?.postMessage('take-over')
}

export async function removeServiceWorker(): Promise<void> {
  await registered.value?.unregister()
  for (const name of 'caches' in window ? await caches.keys() : []) await caches.delete(name)
}

export const isAppCached = async (): Promise<boolean> =>
  registered.value?.active != null && 'caches' in window && (await caches.match('/app/app.html')) !== undefined

function trusted(given: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const rules = { createScriptURL: (wanted: string) => (wanted === address ? wanted : '') }
  return trustedTypes?.createPolicy('furrow', rules).createScriptURL(given) ?? given
}

function watch({ installing, waiting }: ServiceWorkerRegistration): void {
  const isUpdate = navigator.serviceWorker.controller !== null
  if (waiting !== null && isUpdate) notice({ kind: 'new-version' })
  installing?.addEventListener('statechange', () => {
    if (installing.state === 'installed' && isUpdate) notice({ kind: 'new-version' })
  })
}

/** Explains once: service workers need https. */
function sayWhyNot(): void {
  if (isSecureContext || localStorage.getItem(saidPlainHttp) !== null) return
  localStorage.setItem(saidPlainHttp, '1')
  notice({ kind: 'plain-http' })
}
