/**
 * What the pages of /invitation and /new-password run: the key stands behind the # of the address, which only a script can read. It is sent
 * with what was typed, and the answer says whether it was good.
 */
export const linkScript = `'use strict'
const form = document.querySelector('form')
const fault = document.querySelector('[role=alert]')
const key = location.hash.slice(1)

function tell(message) {
  fault.textContent = message
  fault.hidden = false
}

async function send() {
  const { again, ...typed } = Object.fromEntries(new FormData(form))
  if (again !== typed.password) return tell(form.dataset.differ)
  let answer
  try {
    answer = await fetch(form.dataset.to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ key, ...typed }),
    })
  } catch {
    return tell(form.dataset.offline)
  }
  const body = await answer.json().catch(() => ({}))
  if (answer.ok) return location.replace(body.go_on)
  if (answer.status === 404) form.hidden = true
  tell(body.detail || form.dataset.offline)
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  fault.hidden = true
  const button = form.querySelector('button')
  button.disabled = true
  await send()
  button.disabled = false
})

if (key === '') tell(form.dataset.incomplete)
else form.hidden = false
`
