import { useState } from "preact/hooks"
import { send, type RequestError } from "./api"

/** Asks for a key of the service; the page does not store it. */
export function SignIn({ message, onDone }: { message: string; onDone: () => void }) {
  const [key, setKey] = useState("")
  const [error, setError] = useState("")
  const local = message.includes("sensecheck studio")
  const submit = (event: Event) => {
    event.preventDefault()
    send("/session", { key }).then(onDone, (wrong: RequestError) => setError(wrong.message))
  }
  return (
    <main id="main" class="page sign-in" tabIndex={-1}>
      <div class="card">
        <h1>{local ? "The link is needed" : "Sign in"}</h1>
        <p class="lead">{message}</p>
        {!local && (
          <form onSubmit={submit}>
            <label>
              Secret key
              <input
                type="password"
                autocomplete="off"
                value={key}
                required
                onInput={(event) => setKey(event.currentTarget.value)}
              />
            </label>
            <button type="submit" class="primary">
              Sign in
            </button>
            {error && (
              <p class="wrong" role="alert">
                {error}
              </p>
            )}
          </form>
        )}
      </div>
    </main>
  )
}
