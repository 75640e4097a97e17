/**
 * Reserves the place of a part whose code or data is loading. Visible only if that takes a while.
 */
export const Loading = () => (
  <p className="loading" aria-busy="true">
    Loading …
  </p>
);
