//! Systems of linear equations.

/// Solves `matrix * x = right` for a symmetric positive definite matrix, of which only the lower triangle is read, by Cholesky's
/// method.
pub fn symmetric(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for row in 0..size {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| matrix[row][k] * matrix[column][k]).sum();
            let rest = matrix[row][column] - known;
            matrix[row][column] = if row == column {
                rest.max(f64::MIN_POSITIVE).sqrt()
            } else {
                rest / matrix[column][column]
            };
        }
    }
    for row in 0..size {
        let known: f64 = (0..row).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| matrix[k][row] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solution_solves_the_equations() {
        let matrix = vec![vec![4.0, 2.0, 0.4], vec![2.0, 5.0, 1.0], vec![0.4, 1.0, 3.0]];
        let found = symmetric(matrix.clone(), vec![1.0, -2.0, 3.0]);
        for (row, right) in matrix.iter().zip([1.0, -2.0, 3.0]) {
            let left: f64 = row.iter().zip(&found).map(|(a, b)| a * b).sum();
            assert!((left - right).abs() < 1e-12);
        }
    }
}
