/** Stands where a part of the page will be once its code or data is loaded. Visible only if that takes a while. */
export const Loading = () => (
  <p className="loading" aria-busy="true">
    Loading …
  </p>
);
