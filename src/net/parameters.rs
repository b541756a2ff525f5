//! The parameters of burn's modules as flat vectors, and back.

use std::sync::Arc;

use burn::{
    module::{Module, ModuleMapper, ModuleVisitor, Param},
    tensor::{DType, Gradients, Tensor, TensorData},
};

use super::weights::{Layout, TensorSpec};

impl Layout {
    /// The layout of `module`.
    pub fn of<M: Module>(module: &M) -> Arc<Layout> {
        struct Collect {
            path: Vec<String>,
            tensors: Vec<TensorSpec>,
        }
        impl ModuleVisitor for Collect {
            fn enter_module(&mut self, name: &str, _: &str) {
                self.path.push(name.to_owned());
            }

            fn exit_module(&mut self, _: &str, _: &str) {
                self.path.pop();
            }

            fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
                self.tensors.push(TensorSpec { name: self.path.join("."), shape: param.dims().to_vec() });
            }
        }
        let mut collect = Collect { path: Vec::new(), tensors: Vec::new() };
        module.visit(&mut collect);
        Arc::new(Layout::new(collect.tensors))
    }
}

/// Copies the parameters of `module` out, in the order of its [`Layout`].
pub fn flatten<M: Module>(module: &M) -> Vec<f32> {
    struct Copy(Vec<f32>);
    impl ModuleVisitor for Copy {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            self.0.extend(values_of(param.val()));
        }
    }
    let mut copy = Copy(Vec::new());
    module.visit(&mut copy);
    copy.0
}

/// `module` with the parameters in `values`, on the same device.
///
/// # Panics
/// When `values` is shorter than the module's [`Layout`].
pub fn unflatten<M: Module>(module: M, values: &[f32]) -> M {
    struct Fill<'a>(&'a [f32]);
    impl ModuleMapper for Fill<'_> {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            let (id, old, mapper) = param.consume();
            let (head, rest) = self.0.split_at(old.shape().num_elements());
            self.0 = rest;
            let new = Tensor::from_data(TensorData::new(head.to_vec(), old.shape()), &old.device());
            let new = if old.is_require_grad() { new.require_grad() } else { new };
            Param::from_mapped_value(id, new, mapper)
        }
    }
    module.map(&mut Fill(values))
}

/// `module` with its parameters in numbers of another type, to evaluate with.
pub fn cast<M: Module>(module: M, dtype: DType) -> M {
    struct Cast(DType);
    impl ModuleMapper for Cast {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
            Param::from_tensor(param.val().cast(self.0))
        }
    }
    module.map(&mut Cast(dtype))
}

/// Takes the gradients of `module`'s parameters out, in the order of its [`Layout`]; zeros for a parameter that
/// has none.
pub fn gradients<M: Module>(module: &M, gradients: &mut Gradients) -> Vec<f32> {
    struct Collect<'a> {
        gradients: &'a mut Gradients,
        values: Vec<f32>,
    }
    impl ModuleVisitor for Collect<'_> {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
            match param.val().grad_remove(self.gradients) {
                Some(gradient) => self.values.extend(values_of(gradient)),
                None => self.values.resize(self.values.len() + param.shape().num_elements(), 0.0),
            }
        }
    }
    let mut collect = Collect { gradients, values: Vec::new() };
    module.visit(&mut collect);
    collect.values
}

/// Copies a tensor out.
pub fn values_of<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data().convert::<f32>().try_to_vec().expect("they hold f32 now")
}

/// Copies a parameter out.
pub fn param_values<const D: usize>(param: &Param<Tensor<D>>) -> Vec<f32> {
    values_of(param.val())
}
