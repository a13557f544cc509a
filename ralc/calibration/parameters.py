"""What scikit-learn asks of an estimator, without loading scikit-learn: the command line would wait for it."""

import inspect
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Estimator:
    """Has parameters, set at construction under their own names, and what it learned, in names that end in ``_``.

    That is what `sklearn.base.clone`, a `sklearn.pipeline.Pipeline` and `sklearn.utils.validation.check_is_fitted`
    need to know.
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, sorted."""
        return {name: getattr(self, name) for name in sorted(inspect.signature(type(self)).parameters)}

    def set_params(self, **parameters: Any) -> Self:
        """Set some of the parameters; return the estimator.

        Raises
        ------
        ValueError
            If there is no such parameter.
        """
        known = list(self.get_params())
        for name, value in parameters.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: {known!r}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Return the call that makes it, without the parameters that are as by default."""
        given = inspect.signature(type(self)).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if repr(value) != repr(given[name].default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> "Tags":
        from sklearn.base import BaseEstimator

        return BaseEstimator().__sklearn_tags__()

    def require_fitted(self, learned: str) -> None:
        """Raise scikit-learn's NotFittedError (a ValueError) unless it has an attribute that ``fit`` sets."""
        if not hasattr(self, learned):
            try:
                from sklearn.exceptions import NotFittedError
            except ModuleNotFoundError:  # who has no scikit-learn does not wait for its error
                NotFittedError = ValueError  # noqa: N806 - a class

            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this estimator."
            )
